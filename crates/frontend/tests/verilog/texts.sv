// Texts as numbers, values that fill, numbers without width, replications, empty replications, sizes by expressions, tables of constants.
module dut(input logic clk, input logic [7:0] c, input logic [2:0] i, output logic [31:0] o0, output logic [15:0] o1, output logic b0, output logic [39:0] o2, output logic [7:0] o3, o4);
  localparam int Z = 0;
  localparam logic [8*5-1:0] NAME = "hello";
  localparam logic [7:0] CHARS [5] = '{"h", "e", 8'h6c, "l", "\n"};
  assign o0 = "ab" + {24'd0, c};
  assign o1 = {"x", c} & '1;
  assign b0 = c == "A" || c == "\t";
  assign o2 = NAME ^ {5{c}};
  assign o3 = i < 5 ? CHARS[i] : 'h1;
  assign o4 = {{Z{c[7]}}, c[3:0], {2{i[1:0]}}} - 'd300;
endmodule
