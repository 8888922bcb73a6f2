// Arguments by name and by default, both in and out, results that are thrown away, functions without arguments, of arrays and structures, that call each other.
module dut(input logic clk, input logic [7:0] a, b, output logic [7:0] o0, o1, o2, o3, o4, o5);
  typedef struct packed { logic [3:0] hi, lo; } pair_t;
  typedef logic [7:0] four_t [4];
  function automatic logic [7:0] scale(logic [7:0] x, logic [7:0] by = 3, int off = 1);
    return x * by + 8'(off);
  endfunction
  function automatic pair_t swapped(pair_t p); return '{hi: p.lo, lo: p.hi}; endfunction
  function automatic void bump(inout logic [7:0] x, input logic [7:0] y); x = x + y; endfunction
  function automatic four_t spread(logic [7:0] x);
    for (int i = 0; i < 4; i++) spread[i] = x >> i;
  endfunction
  function automatic logic [7:0] twice(logic [7:0] x); return scale(scale(x), x); endfunction
  function automatic logic [7:0] counted(output logic [7:0] ones, input logic [7:0] x);
    ones = 0;
    foreach (x[i]) if (x[i]) ones++;
    return x ^ ones;
  endfunction
  function logic [7:0] nothing(); return a + b; endfunction
  assign o0 = scale(a) ^ scale(.by(b), .x(a)) ^ scale(a, , 5);
  assign o1 = swapped(pair_t'(a ^ b));
  always_comb begin
    logic [7:0] t;
    t = a;
    bump(t, b);
    bump(t, 8'd3);
    o2 = t;
  end
  four_t f;
  assign f = spread(a);
  assign o3 = f[b[1:0]] + twice(b);
  always_comb begin
    logic [7:0] n;
    void'(counted(n, a));
    o4 = n + counted(o5, b);
  end
endmodule
