// Blocking and non-blocking, synchronous reset, shift registers, values to start with.
module dut(input logic clk, input logic rst, input logic [3:0] d, output logic [3:0] q, p, output logic [7:0] sh, output logic [3:0] x, y, output logic [7:0] kept);
  initial begin q = 4'd3; sh = '1; end
  logic [3:0] t = 4'd5;
  logic [3:0] mem [0:3];
  assign p = t;
  initial for (int i = 0; i < 4; i++) mem[i] = i;
  always_ff @(posedge clk)
    if (rst) q <= 0;
    else begin
      q <= q + d;
      if (d == 4'd7) q <= 4'd1;
    end
  always @(posedge clk) begin : b
    reg [3:0] u;
    u = d ^ t;
    t <= u + 1;
  end
  always_ff @(posedge clk) sh <= {sh[6:0], d[0]};
  always_ff @(posedge clk) mem[d[1:0]] <= q;
  always_ff @(posedge clk) if (d[3]) mem[{~d[1], d[0]}] <= t;
  assign x = mem[d[3:2]];
  assign y = mem[1];
  // Some bits of a register are never assigned.
  logic [7:0] part = 8'hb4;
  always_ff @(posedge clk) part[3:1] <= part[2:0];
  assign kept = part;
endmodule
