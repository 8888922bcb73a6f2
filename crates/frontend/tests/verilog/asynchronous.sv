// Asynchronous reset and set.
module dut(input logic clk, input logic rst_n, input logic set, input logic [3:0] d, output logic [3:0] q, r, output logic k);
  initial begin q = 0; r = 0; k = 0; end
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) q <= 4'd9;
    else q <= d;
  always_ff @(posedge clk or posedge set)
    if (set == 1'b1) r[3:2] <= 2'b11;
    else r <= r + d;
  always_ff @(posedge clk) k <= q[0] ^ r[3];
endmodule
