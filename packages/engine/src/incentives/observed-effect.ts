/** Effect of a program against its counterfactual. */
export interface ObservedEffect {
  readonly method: 'BEFORE_AFTER' | 'DIFFERENCE_IN_DIFFERENCES' | 'SYNTHETIC_CONTROL'
  /** Log depth of the treated market less that of its counterfactual, per day; null where either was not observed. */
  readonly gap: readonly (number | null)[]
  /** Weights of the controls; none without any. */
  readonly weights: readonly number[]
  /** Share of markets whose fit got worse by as much, the treated one included; null but for a synthetic control. */
  readonly placeboP: number | null
  /** The gap per control, computed as if the control had been treated. */
  readonly placebos: readonly (readonly (number | null)[])[]
}

type Series = readonly (number | null)[]

/** Minimum controls for a synthetic control; fewer are weighted equally. */
export const FEWEST_SYNTHETIC = 4
const ROUNDS = 2000

/**
 * The counterfactual of a market. It is its own past (no controls), the mean of 1 to 3 controls,
 * or, for 4 and more, their best-fitting mixture before the start. The gap is measured from its
 * mean before the start.
 *
 * The p-value ranks the ratio of the mean squared gap after the start to the one before. The
 * comparison group are the controls, each treated as the market in turn.
 *
 * @param treated log depth per day
 * @param controls of the same length; a day without data in any control is missing
 * @param start index of the first treated day, above zero
 * @see Abadie, Diamond and Hainmueller (2010)
 */
export function observedEffect(
  treated: Series,
  controls: readonly Series[],
  start: number,
): ObservedEffect {
  const { gap, weights } = gapOf(treated, controls, start)
  if (controls.length < FEWEST_SYNTHETIC) {
    const method = controls.length === 0 ? 'BEFORE_AFTER' : 'DIFFERENCE_IN_DIFFERENCES'
    return { method, gap, weights, placeboP: null, placebos: [] }
  }
  const placebos = controls.map((control, own) => {
    const others = controls.filter((_, place) => place !== own)
    return gapOf(control, others, start).gap
  })
  const own = worsening(gap, start)
  const asBad = placebos.filter((placebo) => worsening(placebo, start) >= own).length
  const placeboP = (asBad + 1) / (placebos.length + 1)
  return { method: 'SYNTHETIC_CONTROL', gap, weights, placeboP, placebos }
}

function gapOf(treated: Series, controls: readonly Series[], start: number) {
  const weights =
    controls.length >= FEWEST_SYNTHETIC
      ? simplexWeights(
          treated.slice(0, start),
          controls.map((one) => one.slice(0, start)),
        )
      : controls.map(() => 1 / controls.length)
  const raw = treated.map((value, t) => {
    if (value === null) return null
    let expected = 0
    for (const [place, control] of controls.entries()) {
      const seen = control[t]
      if (seen === null || seen === undefined) return null
      expected += weights[place]! * seen
    }
    return value - expected
  })
  const before = raw.slice(0, start).filter((value) => value !== null)
  const level = before.reduce((sum, value) => sum + value, 0) / Math.max(1, before.length)
  return { gap: raw.map((value) => (value === null ? null : value - level)), weights }
}

function worsening(gap: Series, start: number): number {
  const meanSquare = (part: Series) => {
    const present = part.filter((value) => value !== null)
    return present.reduce((sum, value) => sum + value * value, 0) / Math.max(1, present.length)
  }
  return meanSquare(gap.slice(start)) / Math.max(meanSquare(gap.slice(0, start)), 1e-12)
}

/**
 * Weights w ≥ 0, Σ w = 1 with the best fit of Σ w·control to a series, both minus their means. Uses
 * accelerated projected gradient steps on the simplex from equal weights. The number of steps is
 * fixed, so equal data give equal bytes.
 *
 * @param series null if a day was not observed; such days are skipped
 * @param controls at least one, of the same length
 */
export function simplexWeights(series: Series, controls: readonly Series[]): number[] {
  const days = series.flatMap((value, t) =>
    value !== null && controls.every((control) => control[t] !== null) ? [t] : [],
  )
  const centred = (one: Series) => {
    const values = days.map((t) => one[t] as number)
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
    return values.map((value) => value - mean)
  }
  const y = centred(series)
  const x = controls.map(centred)
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, t) => sum + value * b[t]!, 0)
  const gram = x.map((row) => x.map((column) => product(row, column)))
  const aim = x.map((row) => product(row, y))
  // The trace bounds the largest eigenvalue, so the step never overshoots.
  const slope = Math.max(
    gram.reduce((sum, row, k) => sum + row[k]!, 0),
    1e-300,
  )
  let weights = controls.map(() => 1 / controls.length)
  let ahead = weights
  let momentum = 1
  for (let round = 0; round < ROUNDS; round++) {
    const moved = ahead.map((weight, k) => weight - (product(gram[k]!, ahead) - aim[k]!) / slope)
    const next = onSimplex(moved)
    const following = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2
    const pull = (momentum - 1) / following
    ahead = next.map((weight, k) => weight + pull * (weight - weights[k]!))
    weights = next
    momentum = following
  }
  return weights
}

/** The nearest point with members of at least zero that add up to one. @see Held, Wolfe and Crowder (1974) */
function onSimplex(point: readonly number[]): number[] {
  const falling = [...point].sort((a, b) => b - a)
  let sum = 0
  let level = 0
  for (const [place, value] of falling.entries()) {
    sum += value
    const candidate = (sum - 1) / (place + 1)
    if (value - candidate > 0) level = candidate
  }
  return point.map((value) => Math.max(value - level, 0))
}
