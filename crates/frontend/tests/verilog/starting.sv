// First values by loops, functions, conditions, other first values; variables that only exist there.
module dut(input logic clk, input logic [2:0] i, input logic [7:0] d, output logic [7:0] o0, o1, o2, o3);
  function automatic logic [7:0] noise(int n);
    noise = 8'h1d;
    repeat (n) noise = {noise[6:0], noise[7] ^ noise[5] ^ noise[4]};
  endfunction
  logic [7:0] rom [8], ram [8];
  logic [7:0] base = 8'd40, derived, r;
  int k;
  initial begin
    k = 0;
    while (k < 8) begin
      rom[k] = noise(k);
      if (k[0]) ram[k] = rom[k] ^ base; else ram[7 - k] = 8'(k);
      k++;
    end
    for (int j = 0; j < 8; j += 2) ram[j] = ram[j + 1] + 1;
    derived = base + rom[3];
    case (derived[1:0]) 0: r = 1; 1: r = 2; default: r = derived; endcase
  end
  always_ff @(posedge clk) begin
    ram[i] <= d;
    r <= r + ram[i];
    derived <= derived ^ d;
  end
  assign o0 = rom[i];
  assign o1 = ram[~i];
  assign o2 = derived;
  assign o3 = r;
endmodule
