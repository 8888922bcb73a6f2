// Signed and unsigned operands mixed: shifts, division, comparisons, selects, choices, literals, arguments.
module dut(input logic clk, input logic signed [7:0] a, b, input logic [7:0] u, input logic [3:0] s, output logic [15:0] o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, output logic [8:0] c, output logic signed [15:0] w);
  function automatic logic signed [15:0] wide(input logic signed [7:0] x, input logic [7:0] y, input logic signed [3:0] z);
    return x + $signed(y) * z;
  endfunction
  assign o0 = a >>> s;
  assign o1 = $unsigned(a) >>> s;
  assign o2 = (a >>> s) + 8'd0;
  assign o3 = b == 0 ? 16'sd0 : a / b;
  assign o4 = b == 0 ? 16'sd0 : a % b;
  assign o5 = u == 0 ? 16'd0 : a / u;
  assign o6 = s[0] ? a : u;
  assign o7 = s[0] ? a : b;
  assign o8 = a[7:0] + b;
  assign o9 = {a} + 16'sd1 + -8'sd3;
  assign c = {a < b, a < u, a < 8'sd5, a < 8'd5, -a < 4, a[6:0] < b, 8'shf0 < a, a >= -128, $signed(u) > b};
  assign w = wide(a, u, s) - (a <<< 3) + (-b ** 2) + 'sd7 - 4'shf + {{8{b[7]}}, b} * (s > 7 ? -2 : 3);
endmodule
