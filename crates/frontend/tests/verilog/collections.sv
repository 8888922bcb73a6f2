// (Verilator 5.006 makes no program of this.) Unpacked arrays and structures, patterns, foreach, streams, inside, several dimensions.
module dut(input logic clk, input logic [7:0] d, input logic [1:0] i, j, output logic [7:0] o0, o1, o2, o3, output logic b0, b1, output logic [31:0] flat, output logic [3:0] m);
  typedef struct { logic [3:0] x; logic [3:0] y; } pair_t;
  pair_t p, q;
  logic [7:0] arr [4];
  logic [7:0] tab [0:3] = '{8'd1, 8'd2, 8'd4, 8'd8};
  logic [3:0] grid [0:3][0:3];
  always_comb begin
    p = '{x: d[3:0], y: d[7:4]};
    q = p;
    q.x = q.x + 1;
    o0 = {q.x, q.y};
  end
  always_comb begin
    foreach (arr[k]) arr[k] = d + k;
    arr[i] = 8'hff;
    o1 = arr[j];
    flat = {arr[0], arr[1], arr[2], arr[3]};
  end
  assign o2 = {<<{d}};
  assign o3 = {<<4{d}};
  assign b0 = d inside {8'd3, [8'd10:8'd20], 8'b1111_????};
  assign b1 = tab[i] == d;
  initial foreach (grid[r, c]) grid[r][c] = r * 4 + c;
  always_ff @(posedge clk) grid[i][j] <= d[3:0];
  assign m = grid[j][i];
endmodule
