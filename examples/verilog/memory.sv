// A memory of 65,536 words of 32 bits, and what was last written at one address, which may be any.
module memory #(
  parameter WIDTH = 16
) (
  input logic clk, write,
  input logic [WIDTH-1:0] to, from,
  input logic [31:0] in,
  output logic [31:0] out
);
  logic [31:0] words[2**WIDTH];

  always_ff @(posedge clk) begin
    if (write) words[to] <= in;
    out <= words[from];
  end

  // The scoreboard.
  (* anyconst *) logic [WIDTH-1:0] address;
  logic [31:0] expected;
  logic known = 0;
  always_ff @(posedge clk)
    if (write && to == address) begin
      expected <= in;
      known <= 1;
    end

  stored: assert property (@(posedge clk) known |-> words[address] == expected);
  fetched: assert property (@(posedge clk)
    known && from == address && !(write && to == address) |=> out == expected);
endmodule
