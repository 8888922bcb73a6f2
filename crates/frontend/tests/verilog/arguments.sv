// Functions of SystemVerilog that change their arguments.
module dut(input logic clk, input logic [7:0] a, b, output logic [3:0] g);
  function automatic void half(inout logic [3:0] v);
    v = v >> 1;
  endfunction
  always_comb begin g = a[3:0]; half(g); if (b[1]) half(g); end
endmodule
