// Words wider than 64 bits, and operators on them.
module dut(input logic clk, input logic [99:0] a, b, input logic [6:0] n, output logic [99:0] o0, o1, o2, o3, output logic [199:0] o4, output logic o5, o6, output logic [99:0] o7);
  assign o0 = a + b;
  assign o1 = a << n;
  assign o2 = $signed(a) >>> n;
  assign o3 = (a & ~b) | (b ^ (a >> 3));
  assign o4 = {a, b} - {b, a};
  assign o5 = a < b;
  assign o6 = $signed(a) < $signed(b);
  always_comb begin
    o7 = a;
    if (n < 92) o7[n +: 8] = b[7:0];
  end
endmodule
