// Memories from files, in hexadecimal and binary, with addresses, comments, ranges.
module dut(input logic clk, input logic [3:0] i, input logic we, input logic [7:0] d, output logic [7:0] o0, o1, o2, output logic [3:0] o3);
  logic [7:0] rom [0:15];
  logic [7:0] ram [0:15];
  logic [7:0] part [15:0];
  logic [3:0] bin [16];
  initial $readmemh("readmem.hex", rom);
  initial begin
    for (int k = 0; k < 16; k++) ram[k] = 8'(k);
    for (int k = 0; k < 16; k++) part[k] = 8'hee;
    $readmemh("readmem.hex", ram);
    $readmemh("readmem.part", part, 4, 7);
    $readmemb("readmem.bin", bin);
  end
  always_ff @(posedge clk) if (we) ram[i] <= d;
  assign o0 = rom[i];
  assign o1 = ram[~i];
  assign o2 = part[i];
  assign o3 = bin[i];
endmodule
