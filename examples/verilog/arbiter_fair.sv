// What was missing in arbiter.sv: somebody is granted whenever somebody asks, nobody waits for more than three others, and a turn that nobody wants is not lost. It is bound to the arbiter, which stays as it is.
//
//   propcov cover examples/verilog/arbiter.sv examples/verilog/arbiter_fair.sv
module arbiter_fair (
  input logic       clk, rst,
  input logic [3:0] request, grant,
  input logic [1:0] last
);
  // How many others were granted since each began to ask.
  logic [2:0] waited [0:3];

  initial for (int i = 0; i < 4; i++) waited[i] = 0;

  logic asked = 0;
  logic [3:0] asking = 0;

  always_ff @(posedge clk) begin
    asked  <= !rst;
    asking <= request;
    for (int i = 0; i < 4; i++)
      if (rst || !asking[i] || grant[i]) waited[i] <= 0;
      else if (grant != 0) waited[i] <= waited[i] + 1;
  end

  always_ff @(posedge clk) begin
    somebody:   assert (!asked || (grant != 0) == (asking != 0));
    starts_new: assert ($initstate || !$past(rst) || (grant == 0 && last == 3));
    stays:      assert (!asked || asking != 0 || last == $past(last));
    for (int i = 0; i < 4; i++)
      in_turn:  assert (waited[i] <= 3);
    for (int i = 0; i < 4; i++)
      if (grant[i]) remembers: assert (last == i);
  end
endmodule

bind arbiter arbiter_fair u_fair (.*);
