// Joined targets, nets declared with values, processes with lists of signals, generated cases, constants of structures, computed widths, falling edges alone.
module dut(input logic clk, input logic [7:0] a, b, output logic [7:0] o0, o1, o2, o3, output logic [3:0] o4, o5, output logic p);
  wire [7:0] n = a & b;
  logic carry;
  assign {carry, o0} = a + b;
  logic [3:0] x, y;
  always @(a or b, n) begin
    {x, y} = n ^ {4'd3, a[3:0]};
    {y[1:0], x[3]} = {x[1:0], y[0]};
  end
  assign o1 = {x, y};
  for (genvar i = 0; i < 4; i++) begin : g
    case (i)
      0: assign o4[i] = a[i];
      1, 2: begin assign o4[i] = a[i] ^ b[i * 2 - 1]; end
      default: if (i > 5) assign o4[i] = 0; else assign o4[i] = carry;
    endcase
    localparam int W = i + 1;
    logic [W-1:0] part;
    assign part = W'(a >> i);
  end
  assign o5 = {g[3].part[3], g[2].part[1], g[1].part[0], g[0].part};
  typedef struct packed { logic [2:0] k; logic [4:0] m; } cfg_t;
  localparam cfg_t TABLE [3] = '{'{k: 1, m: 7}, '{default: '1}, '{3'd2, 5'd9}};
  assign o2 = a[1:0] < 3 ? TABLE[a[1:0]] : 8'd0;
  logic [7:0] r = 8'h5a;
  always_ff @(negedge clk) r <= {r[6:0], r[7] ^ a[0]};
  assign o3 = r;
  assign p = ^r;
endmodule
