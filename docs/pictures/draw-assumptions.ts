import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { drawCharts, pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import { changesBetween } from '../../apps/server/src/families/plan/treasury-assumptions/changes.ts'
import { assumptionCharts } from '../../apps/server/src/families/plan/treasury-assumptions/charts.ts'
import type { DrawnAssumptions } from '../../apps/server/src/families/plan/treasury-assumptions/element-changes.ts'
import { normalForm } from '../../apps/server/src/families/plan/treasury-assumptions/normal-form.ts'
import {
  input,
  line,
  scenario,
  usd,
  weth,
} from '../../apps/server/src/families/plan/treasury-assumptions/testing/sets.ts'

const token = 'eip155:31337/erc20:0xc18360217d8f7ab5e7c516566761ea12ce7f9d72'
const monthly = (firstAt: string) => ({ kind: 'RECURRING', firstAt, every: 'MONTH' }) as const

const payroll = line({ amount: '4200000', growthAnnualPips: 30_000 })
const grants = line({
  lineId: 'grants',
  label: 'Grants of the ecosystem',
  category: 'Ecosystem',
  assetKey: token,
  amount: `${2n * 10n ** 24n}`,
  certainty: 'EXPECTED',
  schedule: {
    kind: 'LINEAR',
    from: '2026-01-01T00:00:00.000Z',
    to: '2028-01-01T00:00:00.000Z',
    cliffAt: '2026-07-01T00:00:00.000Z',
    stepSeconds: 86_400,
  },
})
const audit = line({
  lineId: 'audit',
  label: 'Audit of the new pools',
  category: 'Security',
  amount: '18000000',
  schedule: { kind: 'ONE_OFF', at: '2026-09-15T00:00:00.000Z' },
})
const listing = line({
  lineId: 'listing',
  label: 'Fee of a listing',
  category: 'Growth',
  amount: '25000000',
  certainty: 'EXPECTED',
  schedule: { kind: 'ONE_OFF', at: '2026-05-01T00:00:00.000Z' },
})
const fees = line({
  lineId: 'fees',
  label: 'Fees of our positions',
  category: 'Income',
  direction: 'INFLOW',
  assetKey: weth,
  amount: `${9n * 10n ** 18n}`,
  growthAnnualPips: 100_000,
  schedule: monthly('2026-01-31T00:00:00.000Z'),
  certainty: 'UNCERTAIN',
  probabilityPips: 700_000,
})
const winter = scenario({
  scenarioId: 'winter',
  label: 'Bear market',
  inflowMultiplierPips: 400_000,
  prices: [
    { assetKey: token, path: { kind: 'LINEAR', movePips: -800_000 } },
    { tier: 'T2', path: { kind: 'STEP', month: '2026-06', movePips: -500_000 } },
  ],
  inflowDelayMonths: 3,
})
const rally = scenario({
  scenarioId: 'rally',
  label: 'Prices double',
  prices: [{ tier: 'T2', path: { kind: 'LINEAR', movePips: 1_000_000 } }],
})

const agreed = { label: 'Plan of 2026', minimumCashQuote: '60000000', quoteKey: usd }

/** A plan and what became of it, of which the pictures in the documentation are drawn. */
export function drawnAssumptions(): DrawnAssumptions {
  const before = normalForm(
    input({
      ...agreed,
      lines: [payroll, grants, listing, { ...fees, probabilityPips: 900_000 }],
      scenarios: [scenario(), { ...winter, inflowDelayMonths: 1 }],
    }),
  )
  const assumptions = normalForm(
    input({
      ...agreed,
      minimumCashQuote: '75000000',
      lines: [{ ...payroll, amount: '4900000' }, grants, audit, fees],
      scenarios: [scenario(), winter, rally],
    }),
  )
  const assets = [
    { assetKey: token, decimals: 18, source: null },
    { assetKey: weth, decimals: 18, source: null },
    { assetKey: usd, decimals: 2, source: null },
  ]
  return { assumptions, assets, changes: changesBetween(before, assumptions) }
}

/** The pictures by the names of their files. */
export function drawAssumptions(): Map<string, string> {
  return new Map(
    drawCharts(assumptionCharts(drawnAssumptions()), usualPaper).map(({ picture }) => [
      `${picture.id}.svg`,
      pictureToSvg(picture),
    ]),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, svg] of drawAssumptions()) {
    writeFileSync(fileURLToPath(new URL(name, import.meta.url)), svg)
  }
}
