// Constant and computed selections, reads and writes, both directions of bounds.
module dut(input logic clk, input logic [15:0] a, input logic [3:0] i, j, input logic [3:0] v,
           output logic [3:0] p0, p1, p2, output logic b0, b1, output logic [0:15] up, output logic [15:0] w, output logic [15:0] m);
  logic [0:15] r;
  logic [3:0][3:0] g;
  assign r = a;
  assign b0 = a[i];
  assign b1 = r[i];
  assign p0 = a[7:4];
  assign p1 = i <= 12 ? a[i +: 4] : 4'd0;
  assign p2 = i >= 3 ? a[i -: 4] : 4'd0;
  always_comb begin
    up = a;
    up[i] = v[0];
    up[2:5] = v;
  end
  always_comb begin
    w = 0;
    if (j <= 12) w[j +: 4] = v;
    w[15] = ~w[15];
  end
  always_comb begin
    g = a;
    g[i[1:0]] = v;
    g[3][1:0] = v[3:2];
    m = g;
  end
endmodule
