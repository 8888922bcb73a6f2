// Loops that are left early.
module dut(input logic clk, input logic [7:0] a, input logic [2:0] s, output logic [3:0] first, count);
  function automatic logic [3:0] leading(input logic [7:0] v);
    for (int i = 7; i >= 0; i--)
      if (v[i]) return i[3:0];
    return 4'd8;
  endfunction
  assign first = leading(a);
  always_comb begin
    count = 0;
    for (int i = 0; i < 8; i++) begin
      if (i == 6) continue;
      if (a[i] && s == i) break;
      count += a[i];
    end
  end
endmodule
