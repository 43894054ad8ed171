-- What a job that runs knows so far of what it looks for. It is written with the work that it is of, so whoever goes on after a
-- worker that died finds both or neither.
alter table jobs add column preliminary text;
