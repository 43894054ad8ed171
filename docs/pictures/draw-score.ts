import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { drawCharts, pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import type { ScorePayload } from '../../apps/server/src/families/intelligence/scores/active-score.ts'
import { scoreCharts } from '../../apps/server/src/families/intelligence/scores/charts.ts'
import type { ScoreInput } from '../../apps/server/src/families/intelligence/scores/score-input.ts'
import { scorePayloadOf } from '../../apps/server/src/families/intelligence/scores/score-payload.ts'
import measureScore from '../../apps/server/src/families/intelligence/scores/score-task.ts'
import { recordedDay } from '../../apps/server/src/testing/recorded-day.ts'

/** The score of a day of WBTC/WETH, of which the pictures in the documentation are drawn. */
export async function drawnScore(): Promise<ScorePayload> {
  const { task, window } = await recordedDay()
  const pair = {
    chainId: 1,
    baseDecimals: 8,
    quoteDecimals: 18,
    base: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
    quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  }
  const input = {
    request: { pair },

    specHash: `0x${'0'.repeat(64)}`,
    seed: `0x${'0'.repeat(64)}`,
    venues: [],
    reference: null,
    observations: new Map(),
    anomalies: { open: [], opened: 0 },
    young: [],
    task: task(),
  } as unknown as ScoreInput
  return scorePayloadOf(input, measureScore(task()), window.to * 1000).payload
}

/** The pictures by the names of their files. */
export async function drawScore(): Promise<Map<string, string>> {
  const pictures = drawCharts(scoreCharts(await drawnScore()), usualPaper)
  return new Map(pictures.map(({ picture }) => [`${picture.id}.svg`, pictureToSvg(picture)]))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, svg] of await drawScore()) {
    writeFileSync(fileURLToPath(new URL(name, import.meta.url)), svg)
  }
}
