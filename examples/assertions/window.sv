// The same range in an antecedent and in what has to hold, and repetitions: see benches/assertions.
module window #(parameter N = 8) (input bit clk, a, b, c);
  default clocking @(posedge clk); endclocking
  delay_in_antecedent:   assert property (a ##[1:N] b |-> c);
  delay_in_consequent:   assert property (a |-> ##[1:N] b);
  repeat_in_antecedent:  assert property (a[*N] |-> b);
  repeat_in_consequent:  assert property (a |-> b[*N]);
  exact_delay:           assert property (a |-> ##N b);
  during:                assert property (a |-> b throughout ##[1:N] c);
  both:                  assert property (a |-> (##[1:N] b) intersect (##[1:N] c));
endmodule
