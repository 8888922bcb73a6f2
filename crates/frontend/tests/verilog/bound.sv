// bind with parameters, to one instance, to a module, with expressions, of an instance that drives nothing but is looked into.
module watch #(parameter int W = 2, parameter int K = 0) (input logic clk, input logic [W-1:0] v, output logic [7:0] n);
  logic [7:0] c = K;
  always_ff @(posedge clk) if (&v) c <= c + 1;
  assign n = c;
endmodule
module part #(parameter int P = 4) (input logic clk, input logic [P-1:0] d, output logic [P-1:0] q);
  logic [P-1:0] r = '1;
  always_ff @(posedge clk) r <= r ^ d;
  assign q = r;
endmodule
module dut(input logic clk, input logic [5:0] d, output logic [3:0] q0, output logic [5:0] q1, output logic [7:0] n0, n1, n2);
  part u0(.clk, .d(d[3:0]), .q(q0));
  part #(.P(6)) u1(.clk, .d(d), .q(q1));
  assign n0 = u0.w.n;
  assign n1 = u1.w.n;
  assign n2 = u1.only.n;
endmodule
bind part watch #(.W(P), .K(P * 2)) w(.clk, .v(r), .n());
bind dut.u1 watch #(.W(3)) only(.clk(clk), .v({r[2:1], d[0]}), .n());
