// A model of the queue in fifo.sv, which shifts words instead of moving pointers, and assertions that the two agree. It is bound to the queue, which stays as it is.
//
//   propcov cover examples/verilog/fifo.sv examples/verilog/fifo_model.sv
module fifo_model (
  input logic       clk, rst, push, pop, do_push, do_pop, full, empty,
  input logic [7:0] in, out,
  input logic [7:0] store [0:3],
  input logic [1:0] head, tail,
  input logic [2:0] count
);
  // The oldest word first.
  logic [7:0] model [0:3];
  logic [2:0] length = 0;

  always_ff @(posedge clk)
    if (rst) length <= 0;
    else begin
      for (int i = 0; i < 3; i++) if (do_pop) model[i] <= model[i + 1];
      if (do_push) model[length - do_pop] <= in;
      length <= length + do_push - do_pop;
    end

  always_ff @(posedge clk) begin
    takes:          assert (do_push == (push && length != 4));
    gives:          assert (do_pop == (pop && length != 0));
    as_long:        assert (count == length);
    empty_is_empty: assert (empty == (length == 0));
    ends_meet:      assert (tail == head + count[1:0]);
    starts_anew:    assert ($initstate || !$past(rst) || (head == 0 && tail == 0));
    for (int i = 0; i < 4; i++)
      if (i < length) in_order: assert (store[head + 2'(i)] == model[i]);
    if (!empty) right_word: assert (out == model[0]);
  end
endmodule

bind fifo fifo_model u_model (.*);
