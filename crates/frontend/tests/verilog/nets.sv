// Nets that have a value without a driver, or where nobody drives a part of them.
module dut(input logic [3:0] a, output logic [3:0] y, z);
  supply1 [3:0] high;
  supply0 low;
  tri1 [3:0] up;
  tri0 [3:0] down;
  assign up[1:0] = a[1:0];
  assign down[3] = a[3];
  assign y = (a & high) ^ {3'b0, low} ^ up;
  assign z = down;
endmodule
