// Two clients take turns, as long as nobody keeps the bus busy. Each is served in the end if the bus is always released again.
module turns(input bit clk, busy, input bit [1:0] req, output bit [1:0] gnt);
  bit turn;

  initial turn = 0;
  always_ff @(posedge clk)
    if (!busy) turn <= !turn;
  assign gnt[0] = req[0] && !busy && !turn;
  assign gnt[1] = req[1] && !busy && turn;

  default clocking @(posedge clk); endclocking

  released: assume property (s_eventually !busy);
  served_0: assert property (req[0] |-> s_eventually (gnt[0] || !req[0]));
  served_1: assert property (req[1] |-> s_eventually (gnt[1] || !req[1]));
  held:     assert property ((req[0] && !gnt[0]) |=> req[0] s_until gnt[0]);
  single:   assert property (not strong(##[0:$] (gnt[0] && gnt[1])));
endmodule
