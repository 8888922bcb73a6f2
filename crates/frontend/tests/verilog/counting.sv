// System functions that count bits.
module dut(input logic clk, input logic [11:0] a, input logic [7:0] b, output logic [31:0] o0, o1, o2, output logic b0, b1);
  assign o0 = $countones(a);
  assign o1 = $countbits(b, 1'b1);
  assign o2 = $countbits(b, 1'b0);
  assign b0 = $onehot(a);
  assign b1 = $onehot0(a[3:0]);
endmodule
