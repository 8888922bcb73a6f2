// Arrays of interfaces and of instances, interfaces with parameters, functions and logic inside, modports through two levels, generate over them.
interface lane_if #(parameter int W = 4) (input logic clk);
  logic [W-1:0] data;
  logic go;
  logic [W-1:0] held = 0;
  always_ff @(posedge clk) if (go) held <= data;
  function automatic logic [W-1:0] twice(); return held << 1; endfunction
  modport from(output data, go, input held, import twice);
  modport to(input data, go, held);
endinterface
module driver_m #(parameter int ID = 0) (input logic [7:0] x, lane_if.from l, output logic [3:0] t);
  assign l.data = x[3:0] + ID;
  assign l.go = x[ID];
  assign t = l.twice();
endmodule
module watcher_m(lane_if.to l, output logic [3:0] y);
  assign y = l.held ^ (l.go ? l.data : 4'd0);
endmodule
module wrap_m(lane_if.to l, output logic [3:0] y);
  watcher_m u_w(.l(l), .y(y));
endmodule
module dut(input logic clk, input logic [7:0] x, output logic [15:0] y, t, output logic [3:0] z);
  lane_if #(.W(4)) lanes [4] (.clk);
  for (genvar i = 0; i < 4; i++) begin : g
    driver_m #(.ID(i)) u_d(.x, .l(lanes[i]), .t(t[4*i +: 4]));
    wrap_m u_w(.l(lanes[i]), .y(y[4*i +: 4]));
  end
  assign z = lanes[2].held;
endmodule
