// A round-robin arbiter for four. Its assertions say that at most one is granted, and only one that has asked.
//
//   propcov cover examples/verilog/arbiter.sv
module arbiter (
  input  logic       clk, rst,
  input  logic [3:0] request,
  output logic [3:0] grant
);
  // Who had the last turn: the one behind it comes first now.
  logic [1:0] last;
  logic [1:0] winner;
  logic [3:0] chosen;

  initial begin grant = 0; last = 3; end

  always_comb begin
    winner = last;
    chosen = 0;
    for (int i = 4; i >= 1; i--)
      if (request[2'(last + i)]) begin
        winner = 2'(last + i);
        chosen = 4'b0001 << 2'(last + i);
      end
  end

  always_ff @(posedge clk)
    if (rst) begin
      grant <= 0;
      last  <= 3;
    end else begin
      grant <= chosen;
      last  <= winner;
    end

`ifdef FORMAL
  always_ff @(posedge clk) begin
    one_at_a_time: assert ($onehot0(grant));
    only_who_asks: assert ($initstate || (grant & ~$past(request)) == 0);
    last_one:      cover (grant[3]);
  end
`endif
endmodule
