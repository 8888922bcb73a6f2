// `let`, defparam, bind with ports, static and automatic functions, tasks with outputs, recursion, hierarchical references up and down.
module leaf_unit #(parameter int W = 4, parameter int STEP = 1) (input logic clk, input logic [7:0] d, output logic [7:0] q);
  let limit = 8'(W * 3);
  let most(a, b) = a > b ? a : b;
  logic [7:0] seen = 0;
  always_ff @(posedge clk) seen <= most(d, seen) + STEP;
  assign q = seen < limit ? seen : limit;
endmodule
module peeker(input logic [7:0] x, output logic [7:0] y);
  assign y = x ^ 8'h5a;
endmodule
module inner_unit(input logic [7:0] a, output logic [7:0] up);
  logic [7:0] mine;
  assign mine = a + 1;
  assign up = dut.base + mine;
endmodule
module dut(input logic clk, input logic [7:0] d, output logic [7:0] q0, q1, q2, q3, q4, q5);
  logic [7:0] base;
  assign base = d >> 1;
  leaf_unit u_a(.clk, .d, .q(q0));
  leaf_unit #(.W(9)) u_b(.clk, .d, .q(q1));
  defparam u_a.STEP = 5;
  inner_unit u_i(.a(d), .up(q2));
  assign q3 = u_i.mine ^ u_a.seen;
  function static logic [7:0] weigh(input logic [7:0] v);
    weigh = 0;
    for (int i = 0; i < 8; i++) if (v[i]) weigh += 8'(i);
  endfunction
  function automatic int depth(int n);
    if (n <= 1) return 1;
    return depth(n - 1) + depth(n - 2);
  endfunction
  localparam int FIB = depth(7);
  task split(input logic [7:0] v, output logic [3:0] hi, lo);
    {hi, lo} = v;
  endtask
  always_comb begin
    automatic logic [7:0] x = d, y = base;
    logic [3:0] h, l;
    split(x - y, h, l);
    q4 = {l, h} + weigh(d) + 8'(FIB);
  end
  assign q5 = u_b.u_bound.y;
endmodule
bind leaf_unit peeker u_bound(.x(seen), .y());
