// Powers, and division by what may be zero: both are undefined there, so the result is masked.
module dut(input logic clk, input logic [7:0] a, b, input logic [2:0] n, output logic [15:0] p, q, output logic [7:0] d);
  assign p = a ** 2;
  assign q = 2 ** n;
  assign d = b == 0 ? 8'd0 : a / b;
endmodule
