// Methods of enumerations: members one after the other, and round again.
package colours;
  typedef enum logic [2:0] { RED = 3'd1, GREEN = 3'd4, BLUE = 3'd6, BLACK = 3'd0 } colour_t;
endpackage

module dut import colours::*; (input logic clk, input logic step, input logic back, output logic [2:0] q, n, p, f, l, output logic [3:0] num);
  colour_t c = BLUE;
  always_ff @(posedge clk)
    if (step) c <= c.next();
    else if (back) c <= c.prev(3);
  assign q = c;
  assign n = c.next(2);
  assign p = c.prev();
  assign f = c.first();
  assign l = c.last();
  assign num = 4'(c.num());
endmodule
