// A variable that helps, and is not assigned in every case: a latch that nobody sees.
module dut(input logic [3:0] a, input logic e, output logic y);
  logic help;
  always @* begin
    y = 0;
    if (e) begin
      help = a[0];
      if (a == 4'd6) help = 1;
      y = help ^ a[3];
    end
  end
endmodule
