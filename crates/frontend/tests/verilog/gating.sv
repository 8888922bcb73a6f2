// A gated clock, a divided clock, a clock chosen by a multiplexer, both edges, resets of both polarities at both edges.
module dut(input logic clock_a, clock_b, input logic en, rst_n, rst, sel, input logic [3:0] d, output logic [3:0] q0, q1, q2, q3, q4, q5);
  logic gated, div = 0, both;
  initial {q0, q1, q2, q3, q4, q5} = '0;
  assign gated = clock_a & en;
  assign both = sel ? clock_a : clock_b;
  always_ff @(posedge gated) q0 <= q0 + d;
  always_ff @(negedge clock_a) div <= ~div;
  always_ff @(posedge div or negedge rst_n) if (!rst_n) q1 <= 4'd3; else q1 <= q1 + 1;
  always_ff @(negedge both) q2 <= d;
  always_ff @(negedge clock_b or posedge rst) if (rst) q3 <= '1; else q3 <= q3 - d;
  always_ff @(posedge clock_a or negedge rst_n or posedge rst)
    if (!rst_n) q4 <= 0; else if (rst) q4 <= 4'd9; else q4 <= q4 + q2;
  always_ff @(posedge clock_b) if (!rst_n) q5 <= 0; else if (en) q5 <= q1 ^ q4;
endmodule
