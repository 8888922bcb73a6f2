// Operators, widths and signs.
module dut(input logic clk, input logic [7:0] a, b, input logic signed [7:0] s, t, input logic [2:0] n,
           output logic [7:0] y0, y1, y2, y3, y4, y5, output logic [15:0] z0, z1, z2, output logic [7:0] c, output logic signed [15:0] w0, w1);
  assign y0 = a + b;
  assign y1 = a - b;
  assign y2 = a / (b | 8'd1);
  assign y3 = a % (b | 8'd1);
  assign y4 = s >>> n;
  assign y5 = (a << n) ^ (b >> n);
  assign z0 = a * b;
  assign z1 = s * t;
  assign z2 = {s, t} + a;
  assign w0 = s / (t | 8'sd1);
  assign w1 = s + a;          // unsigned, because one operand is
  assign c = {a < b, a <= b, s < t, s >= t, a == b, !a, &a, ^b} ^ {8{~|b}} ^ (s > 0 ? a : b);
endmodule
