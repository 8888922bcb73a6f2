// (Verilator 5.006 makes no program of this.) Arrays of several dimensions, packed and unpacked, at computed places; parts of arrays as a whole.
module dut(input logic clk, input logic [1:0] i, j, k, input logic [15:0] d, input logic we, output logic [7:0] o0, o1, output logic [15:0] o2, o3, output logic [3:0] o4, output logic b0, b1, output logic [7:0] o5);
  logic [1:0][7:0] m [4][2:3][0:3];
  logic [3:0][1:0][3:0] g;
  logic [7:0] line [4], other [4], rev [3:0];
  initial foreach (m[x, y, z]) m[x][y][z] = 16'(x * 64 + y * 16 + z);
  initial g = 0;
  always_ff @(posedge clk) if (we) begin
    m[i][2 + j[0]][k] <= d;
    m[i][2][k][1] <= d[7:0] ^ 8'h33;
    g[i][j[0]] <= d[3:0];
    g[j][k[0]][i] <= d[4];
  end
  assign o0 = m[j][3][i][k[0]];
  assign o1 = m[3][2 + k[1]][j][0];
  assign o2 = m[i][2][k];
  assign o3 = g;
  assign o4 = g[k][i[1]];
  always_comb begin
    foreach (line[x]) line[x] = d[7:0] + 8'(x);
    other = line;
    other[1:2] = line[2:3];
    rev = other;
    b0 = other == line;
    b1 = rev != other;
    o5 = rev[i] ^ other[j];
  end
endmodule
