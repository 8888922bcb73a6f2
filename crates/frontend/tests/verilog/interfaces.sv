// Interfaces with modports, and references through the hierarchy.
interface bus_if;
  logic valid, ready;
  logic [7:0] data;
  modport source(output valid, data, input ready);
  modport sink(input valid, data, output ready);
endinterface
module producer(input logic clk, input logic go, bus_if.source bus);
  logic [7:0] n = 0;
  assign bus.valid = go;
  assign bus.data = n;
  always_ff @(posedge clk) if (bus.valid && bus.ready) n <= n + 3;
endmodule
module consumer(input logic clk, input logic stall, bus_if.sink bus, output logic [7:0] last);
  initial last = 0;
  assign bus.ready = !stall;
  always_ff @(posedge clk) if (bus.valid && bus.ready) last <= bus.data;
endmodule
module dut(input logic clk, input logic go, stall, output logic [7:0] last, peek);
  bus_if link();
  producer u_p(.clk, .go, .bus(link));
  consumer u_c(.clk, .stall, .bus(link.sink), .last);
  assign peek = u_p.n ^ link.data;
endmodule
