/**
 * The longest time in which nobody was answered.
 *
 * @param answeredAt instants of answers in ascending order, milliseconds
 * @param from, to   the time that is looked at, milliseconds; it begins and ends as if somebody was answered
 */
export function longestSilence(
  answeredAt: readonly number[],
  { from, to }: { from: number; to: number },
): number {
  const within = answeredAt.filter((at) => at > from && at < to)
  const ends = [...within, to]
  return Math.max(...ends.map((end, place) => end - (within[place - 1] ?? from)))
}
