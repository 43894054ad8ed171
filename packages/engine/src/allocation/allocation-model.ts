import type { LinearProgram, Row, Term, Variable } from '../optimization/linear-program.ts'

/** An option in the model. Values are in units; the budget has 1,000 units. */
export interface OptionTerms {
  /** Options of one venue have its number. */
  readonly venue: number
  /** Part of its value that is base, 0..1. */
  readonly baseShare: number
  /** Quote of depth per quote of value, by target. */
  readonly depth: readonly number[]
  readonly most: number
  /** Value that is in it already; part of the budget. */
  readonly existing: number
  /** Liquidity in use that a unit makes, over that of all others in the venue; weighed with its time in use. */
  readonly feeWeight: number
  /** Expected loss against holding per unit over the horizon. */
  readonly loss: number
}

/** Target depth and depth before the plan, units of quote. */
export interface TargetTerms {
  readonly wanted: number
  readonly present: number
  /** What exact quotes of an earlier round missed. */
  readonly tightened: number
}

/** A row that bounds the tail of the losses: Σ gradient·x ≤ limit. */
export interface RiskCut {
  readonly gradient: readonly number[]
  readonly limit: number
}

/** Everything that limits an allocation. Shares are 0..1 of all that is placed. */
export interface AllocationTerms {
  readonly options: readonly OptionTerms[]
  readonly targets: readonly TargetTerms[]
  readonly budget: { readonly base: number; readonly quote: number }
  readonly perOption: number
  readonly perVenue: number
  /**
   * Maximum value that each venue's profile allows, by venue number; null if the profile sets no
   * limit.
   */
  readonly venueMost: readonly (number | null)[]
  /** Share of the budget: all options of one pair are on the same chain. */
  readonly perChain: number
  readonly turnover: number | null
  readonly leastPosition: number | null
  readonly mostPositions: number | null
  readonly cuts: readonly RiskCut[]
  /** Venue fees over the horizon, in units; empty if unknown. */
  readonly venueFees: readonly number[]
  /** Which options may be used, once that has been decided. */
  readonly open: readonly boolean[] | null
}

/** Objectives of the model. Each stage is constrained by the results of the previous ones. */
export type AllocationStage =
  | { readonly kind: 'ATTAINMENT'; readonly mostCapital: number | null }
  | { readonly kind: 'CAPITAL'; readonly attainment: number }
  | { readonly kind: 'INCOME'; readonly attainment: number; readonly mostCapital: number }
  | { readonly kind: 'RELAXATION'; readonly attainment: number }

/** Slack variable that relaxes a row. Rows from the same request field share one slack. */
export const slackOf = (row: string) => `slack_${row.replace(/^(option|venue|risk)_\d+$/, '$1')}`

/** Rows that only help others, or are not the request's to change. */
const isFirm = (row: string) => /^(moved|venuecap)_/.test(row)

/**
 * The allocation as a linear program: x_v is the value in option v, t the share of every target
 * that is met.
 *
 *     Σ α_v x_v ≤ base,  Σ (1 − α_v) x_v ≤ quote                           budget
 *     x_v ≤ cap·Σx,  Σ_{v in venue} x_v ≤ cap·Σx,  Σx ≤ cap·budget         caps
 *     Σ |x_v − x⁰_v| ≤ turnover
 *     present_b + Σ κ_{v,b}(x_v − x⁰_v) ≥ t·target_b + tightened_b         depth
 *     Σ gradient_v x_v ≤ limit                                             risk, one row per cut
 *     least·z_v ≤ x_v ≤ most_v·z_v,  Σ z_v ≤ count,  z binary              sizes and number of positions
 *
 * Solved in stages: the largest t, then the least Σx for this t, then the largest income. Venue
 * fees are the concave F·y/(1 + y) of y = Σ weight_v x_v, modeled as 12 chords. A relaxation
 * minimizes the sum of all constraint violations.
 */
export function buildAllocationModel(
  terms: AllocationTerms,
  stage: AllocationStage,
): LinearProgram {
  const isElastic = stage.kind === 'RELAXATION'
  const rows = [...limitRows(terms), ...depthRows(terms), ...stageRows(terms, stage)]
  // A relaxation omits the number of positions, which has no price. The caller checks it
  // afterwards.
  const counted = isElastic ? [] : countRows(terms)
  const variables = [
    ...terms.options.map((option, v) => valueVariable(terms, option, v)),
    ...(terms.turnover === null
      ? []
      : terms.options.map((_, v) => amount(`u${v}`, limitOf(terms)))),
    attainmentVariable(stage),
    ...(stage.kind === 'INCOME' ? feeVariables(terms) : []),
    ...(counted.length > 0 ? terms.options.map((_, v) => openVariable(terms, v)) : []),
  ]
  if (!isElastic)
    return { objective: objectiveOf(terms, stage), rows: [...rows, ...counted], variables }
  const names = rows.filter(({ name }) => !isFirm(name)).map(({ name }) => slackOf(name))
  const slacks = [...new Set(names)].map((name) => amount(name, 10 * limitOf(terms)))
  return {
    objective: slacks.map(({ name }) => ({ variable: name, coefficient: 1 })),
    rows: rows.map((row) => (isFirm(row.name) ? row : elastic(row))),
    variables: [...variables, ...slacks],
  }
}

/** Scale of the whole budget, in units: no value, slack or move exceeds a small multiple. */
const limitOf = ({ budget, targets }: AllocationTerms) =>
  targets.reduce((most, { wanted }) => Math.max(most, wanted), budget.base + budget.quote)

const amount = (name: string, upper: number): Variable => ({ name, lower: 0, upper })

function valueVariable({ open }: AllocationTerms, { most }: OptionTerms, v: number): Variable {
  return amount(`x${v}`, open === null || open[v] === true ? most : 0)
}

function openVariable({ open }: AllocationTerms, v: number): Variable {
  const decided = open === null ? null : Number(open[v])
  return { name: `z${v}`, lower: decided ?? 0, upper: decided ?? 1, isBinary: open === null }
}

function attainmentVariable(stage: AllocationStage): Variable {
  return stage.kind === 'ATTAINMENT'
    ? amount('t', 1)
    : { name: 't', lower: stage.attainment, upper: 1 }
}

function objectiveOf(terms: AllocationTerms, stage: AllocationStage): Term[] {
  if (stage.kind === 'ATTAINMENT') return [{ variable: 't', coefficient: -1 }]
  if (stage.kind === 'CAPITAL') return sumOf(terms, () => 1)
  return [
    ...terms.venueFees.map((_, venue) => ({ variable: `f${venue}`, coefficient: -1 })),
    ...sumOf(terms, ({ loss }) => loss),
  ]
}

function sumOf(
  { options }: AllocationTerms,
  of: (option: OptionTerms, v: number) => number,
): Term[] {
  return options.map((option, v) => ({ variable: `x${v}`, coefficient: of(option, v) }))
}

function limitRows(terms: AllocationTerms): Row[] {
  const { options, budget, perOption, perVenue, perChain, cuts } = terms
  const rows: Row[] = [
    atMost(
      'budget_base',
      sumOf(terms, ({ baseShare }) => baseShare),
      budget.base,
    ),
    atMost(
      'budget_quote',
      sumOf(terms, ({ baseShare }) => 1 - baseShare),
      budget.quote,
    ),
  ]
  if (perOption < 1) {
    for (const v of options.keys()) {
      rows.push(
        atMost(
          `option_${v}`,
          sumOf(terms, (_, w) => Number(v === w) - perOption),
          0,
        ),
      )
    }
  }
  const venues = new Set(options.map(({ venue }) => venue))
  if (perVenue < 1) {
    for (const one of venues) {
      const share = sumOf(terms, ({ venue }) => Number(venue === one) - perVenue)
      rows.push(atMost(`venue_${one}`, share, 0))
    }
  }
  for (const one of venues) {
    const most = terms.venueMost[one] ?? null
    if (most === null) continue
    rows.push(
      atMost(
        `venuecap_${one}`,
        sumOf(terms, ({ venue }) => Number(venue === one)),
        most,
      ),
    )
  }
  if (perChain < 1) {
    rows.push(
      atMost(
        'chain',
        sumOf(terms, () => 1),
        perChain * (budget.base + budget.quote),
      ),
    )
  }
  rows.push(...turnoverRows(terms))
  for (const [k, { gradient, limit }] of cuts.entries()) {
    rows.push(
      atMost(
        `risk_${k}`,
        sumOf(terms, (_, v) => gradient[v] ?? 0),
        limit,
      ),
    )
  }
  return rows
}

const atMost = (name: string, terms: readonly Term[], bound: number): Row => ({
  name,
  terms,
  relation: '<=',
  bound,
})

function turnoverRows({ options, turnover }: AllocationTerms): Row[] {
  if (turnover === null) return []
  const moves = options.flatMap(({ existing }, v): Row[] => [
    {
      name: `moved_up_${v}`,
      terms: [plus(`u${v}`), { variable: `x${v}`, coefficient: -1 }],
      relation: '>=',
      bound: -existing,
    },
    {
      name: `moved_down_${v}`,
      terms: [plus(`u${v}`), plus(`x${v}`)],
      relation: '>=',
      bound: existing,
    },
  ])
  return [
    ...moves,
    atMost(
      'turnover',
      options.map((_, v) => plus(`u${v}`)),
      turnover,
    ),
  ]
}

const plus = (variable: string): Term => ({ variable, coefficient: 1 })

function depthRows(terms: AllocationTerms): Row[] {
  return terms.targets.map(({ wanted, present, tightened }, b) => ({
    name: `depth_${b}`,
    terms: [...sumOf(terms, ({ depth }) => depth[b] ?? 0), { variable: 't', coefficient: -wanted }],
    relation: '>=',
    bound:
      tightened -
      present +
      terms.options.reduce((sum, { depth, existing }) => sum + (depth[b] ?? 0) * existing, 0),
  }))
}

function stageRows(terms: AllocationTerms, stage: AllocationStage): Row[] {
  if (stage.kind === 'CAPITAL' || stage.kind === 'RELAXATION') return []
  const { mostCapital } = stage
  const capital =
    mostCapital === null
      ? []
      : [
          atMost(
            'capital',
            sumOf(terms, () => 1),
            mostCapital,
          ),
        ]
  return stage.kind === 'INCOME' ? [...capital, ...feeRows(terms)] : capital
}

function countRows(terms: AllocationTerms): Row[] {
  const { leastPosition, mostPositions, options } = terms
  if (leastPosition === null && mostPositions === null) return []
  const rows = options.flatMap(({ most }, v): Row[] => [
    {
      name: `least_${v}`,
      terms: [plus(`x${v}`), { variable: `z${v}`, coefficient: -(leastPosition ?? 0) }],
      relation: '>=',
      bound: 0,
    },
    atMost(`most_${v}`, [plus(`x${v}`), { variable: `z${v}`, coefficient: -most }], 0),
  ])
  if (mostPositions === null) return rows
  return [
    ...rows,
    atMost(
      'count',
      options.map((_, v) => plus(`z${v}`)),
      mostPositions,
    ),
  ]
}

const CHORDS = 12

function feeVariables(terms: AllocationTerms): Variable[] {
  return terms.venueFees.map((fees, venue) => {
    const most = largestWeight(terms, venue)
    return amount(`f${venue}`, (fees * most) / (1 + most))
  })
}

/** y if all of the budget were where a unit makes the most liquidity. */
function largestWeight(terms: AllocationTerms, venue: number): number {
  const { base, quote } = terms.budget
  return terms.options
    .filter((option) => option.venue === venue)
    .reduce((high, { feeWeight }) => Math.max(high, feeWeight * (base + quote)), 0)
}

/** f ≤ every chord of F·y/(1 + y), which lies between them: concave, so it is the least of its chords. */
function feeRows(terms: AllocationTerms): Row[] {
  const { venueFees } = terms
  return venueFees.flatMap((fees, venue) => {
    const ownWeights = sumOf(terms, (option) => (option.venue === venue ? option.feeWeight : 0))
    const most = largestWeight(terms, venue)
    const share = (y: number) => y / (1 + y)
    // Closer together where the curve bends most.
    const place = (k: number) => (most * k * k) / (CHORDS * CHORDS)
    return Array.from({ length: CHORDS }, (_, k): Row => {
      const [from, to] = [place(k), place(k + 1)]
      const slope = to > from ? (share(to) - share(from)) / (to - from) : 0
      return atMost(
        `fee_${venue}_${k}`,
        [
          plus(`f${venue}`),
          ...ownWeights.map(({ variable, coefficient }) => ({
            variable,
            coefficient: -fees * slope * coefficient,
          })),
        ],
        fees * (share(from) - slope * from),
      )
    })
  })
}

function elastic(row: Row): Row {
  const coefficient = row.relation === '<=' ? -1 : 1
  return { ...row, terms: [...row.terms, { variable: slackOf(row.name), coefficient }] }
}
