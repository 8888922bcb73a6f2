// Functions and tasks of Verilog: static, with outputs, with effects.
module dut(input logic clk, input logic [7:0] a, b, output logic [7:0] f0, hi, lo, acc);
  function [7:0] mix(input [7:0] x, y);
    reg [7:0] t;
    begin
      t = x;
      if (y[0]) t = t ^ y;
      mix = t + 1;
    end
  endfunction
  task automatic order(input logic [7:0] x, y, output logic [7:0] most, least);
    most = x; least = y;
    if (x < y) begin most = y; least = x; end
  endtask
  task bump(input [7:0] by);
    acc <= acc + by;
  endtask
  assign f0 = mix(a, b) ^ mix(b, a);
  always @(*) order(a, b, hi, lo);
  initial acc = 0;
  always @(posedge clk) if (a > b) bump(a - b); else bump(1);
endmodule
