// System functions of types and arrays, and of time.
module dut(input logic clk, input logic [11:0] a, input logic [7:0] b, output logic [31:0] o0, o1, o2, o3, o4, o5, output logic [3:0] c0, output logic b0, b1, b2, b3, output logic [7:0] p0, p1, output logic r0, f0, s0, h0);
  logic [3:0][7:0] m [2:5][0:6];
  typedef struct packed { logic [4:0] x; logic [2:0] y; } t_t;
  assign o0 = $bits(m) + $bits(t_t) + $size(m) + $size(m, 2);
  assign o1 = $left(m) + $right(m) * 3 + $high(m, 2) * 5 + $low(m, 2);
  assign o2 = $increment(m) + $dimensions(m) + $unpacked_dimensions(m);
  assign o3 = $clog2(a) + $clog2(33);
  assign o4 = $countones(a);
  assign o5 = $signed(b) + $unsigned(-8'sd3);
  assign c0 = $bits(a);
  assign b0 = $onehot(a);
  assign b1 = $onehot0(a[3:0]);
  assign b2 = $onehot(b);
  assign b3 = $left(b) == 7;
  logic [7:0] past1, past2;
  logic rr, ff, ss, hh;
  logic [1:0] n = 0;
  initial {past1, past2, rr, ff, ss, hh} = '0;
  always_ff @(posedge clk) if (n != 3) n <= n + 1;
  always_ff @(posedge clk) if (n == 3) begin
    past1 <= $past(b);
    past2 <= $past(b, 2);
    rr <= $rose(b[1]);
    ff <= $fell(b[1]);
    ss <= $stable(b);
    hh <= $changed(b[3:2]);
  end
  assign {p0, p1, r0, f0, s0, h0} = {past1, past2, rr, ff, ss, hh};
endmodule
