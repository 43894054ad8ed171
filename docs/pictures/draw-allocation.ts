import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { drawCharts, pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import type { AllocationPlan } from '../../apps/server/src/families/plan/allocation-plans/allocation-input.ts'
import allocate from '../../apps/server/src/families/plan/allocation-plans/allocation-task.ts'
import { allocationCharts } from '../../apps/server/src/families/plan/allocation-plans/charts.ts'
import {
  around,
  e18,
  input,
  option,
} from '../../apps/server/src/families/plan/allocation-plans/testing/inputs.ts'

/** A plan over two pools and a pair, of which the pictures in the documentation are drawn. */
export async function drawnPlan(): Promise<AllocationPlan> {
  const request = input({
    options: [
      option('a-wide', 'a', around(300_000)),
      option('a-narrow', 'a', around(60_000)),
      option('b-wide', 'b', around(300_000)),
      option('b-narrow', 'b', around(120_000)),
      option('c-whole', 'c', { kind: 'FULL_RANGE' }),
    ],
    targets: [
      { bandPips: 20_000, side: 'BUY', minQuote: e18(1700) },
      { bandPips: 20_000, side: 'SELL', minQuote: e18(1700) },
      { bandPips: 50_000, side: 'BUY', minQuote: e18(3200) },
    ],
    sizeTargets: [{ sizeQuote: e18(900), side: 'SELL', maxSlippagePips: 13_000 }],
    limits: { perOptionPips: 350_000, perVenuePips: 600_000, perChainPips: 1_000_000 },
  })
  const answer = await allocate(request)
  if (!answer.ok) throw new Error('The plan was refused.')
  return { request: request.request, ...answer.figures } as AllocationPlan
}

/** The pictures by the names of their files. */
export async function drawAllocation(): Promise<Map<string, string>> {
  const pictures = drawCharts(allocationCharts(await drawnPlan()), usualPaper)
  return new Map(pictures.map(({ picture }) => [`${picture.id}.svg`, pictureToSvg(picture)]))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, svg] of await drawAllocation()) {
    writeFileSync(fileURLToPath(new URL(name, import.meta.url)), svg)
  }
}
