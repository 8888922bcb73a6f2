// Blocking and non-blocking assignments in one process, variables that are read before and after, partial updates, last assignment wins, nested conditions, memories written twice.
module dut(input logic clk, rst, input logic [7:0] d, input logic [1:0] i, j, output logic [7:0] o0, o1, o2, o3, o4);
  logic [7:0] a = 1, b = 2, t = 0, m [4];
  initial foreach (m[k]) m[k] = 8'(k * 3);
  always_ff @(posedge clk) begin
    t = d + a;
    if (t[0]) b <= t; else b[3:0] <= t[7:4];
    t = t ^ 8'h0f;
    a <= a + 1;
    if (rst) begin a <= 0; a[2] <= 1; end
    m[i] <= t;
    if (d[7]) m[j] <= a;
    m[i][1:0] <= 2'b10;
    if (d[6]) begin a[7:4] <= m[j][3:0]; end
  end
  assign o0 = a; assign o1 = b; assign o2 = t; assign o3 = m[j]; assign o4 = m[~i];
endmodule
