// Methods of enumerations, casts to them, ranges of names, in cases.
module dut(input logic clk, input logic [2:0] d, input logic up, output logic [3:0] o0, o1, o2, o3, o4, output logic [3:0] st, output logic [7:0] n);
  typedef enum logic [3:0] {A = 1, B = 4, C, D = 9, E[3] } t_t;
  typedef enum {ZERO, ONE, TWO} plain_t;
  t_t s = A, x;
  plain_t p = ZERO;
  always_comb case (d) 0: x = A; 1: x = B; 2: x = C; 3: x = D; 4: x = E0; 5: x = E1; default: x = E2; endcase
  assign o0 = x.next();
  assign o1 = x.prev();
  assign o2 = x.next(2);
  assign o3 = x.first() + x.last();
  assign o4 = x.prev(3) ^ 4'(x.num());
  always_ff @(posedge clk) begin
    s <= up ? s.next : s.prev;
    p <= p == TWO ? ZERO : plain_t'(p + 1);
  end
  assign st = s;
  assign n = {p[1:0], t_t'(d) inside {A, C}, s == E1};
endmodule
