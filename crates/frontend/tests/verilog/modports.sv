// Ports of a modport that are expressions.
interface bus;
  logic [3:0] a;
  logic [1:0] b;
  modport user(output .low(a[1:0]), .high(a[3:2]), input b);
endinterface

module writer(bus.user port, input logic [3:0] d);
  assign port.low = d[1:0] ^ port.b;
  assign port.high = d[3:2] + port.b;
endmodule

module dut(input logic [3:0] d, input logic [1:0] b, output logic [3:0] y);
  bus u_bus();
  assign u_bus.b = b;
  writer u_writer(.port(u_bus), .d(d));
  assign y = u_bus.a;
endmodule
