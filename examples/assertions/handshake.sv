// A request is granted one tick later, and acknowledged two ticks after that: unless another request comes in between.
module handshake(input bit clk, req, output bit gnt, ack);
  bit [1:0] left;

  initial begin
    gnt = 0;
    left = 0;
  end
  always_ff @(posedge clk) begin
    gnt <= req;
    if (req) left <= 3;
    else if (left != 0) left <= left - 1;
  end
  assign ack = left == 1;

  default clocking @(posedge clk); endclocking

  granted:  assert property (req |=> gnt);
  answered: assert property (req ##1 gnt |-> ##[1:2] ack);
  patient:  assert property (req ##1 !req[*2] |=> ack);
  idle:     assert property (gnt && left == 0 |=> ack);
  later:    assert property (req |-> s_eventually ack);
  seen:     cover property (req ##1 gnt ##2 ack);
endmodule
