// Several clocks and edges, a clock that is made of another one, a clock that is read.
module dut(input logic clock_a, clock_b, rst, input logic [3:0] d, output logic [3:0] q, p, n, h, output logic r);
  logic slow = 0;
  initial begin q = 1; p = 2; n = 3; h = 4; end
  always_ff @(posedge clock_a) q <= d;
  always_ff @(negedge clock_b) p <= q + 1;
  always_ff @(posedge clock_a or posedge rst)
    if (rst) n <= 0;
    else n <= n + p;
  always_ff @(posedge clock_a) slow <= !slow;
  always_ff @(posedge slow) h <= h + d;
  assign r = clock_a ^ clock_b;
endmodule
