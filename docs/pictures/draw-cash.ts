import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { drawChart, pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import { cashChart } from './cash-chart.ts'

const weth = (amount: number) => `${BigInt(Math.round(amount * 10)) * 10n ** 17n}`

/** A year of a treasury whose balance was not read in May. */
export const drawnMonths = Array.from({ length: 12 }, (_, month) => ({
  month: new Date(Date.UTC(2026, month)).toISOString(),
  inflowAtoms: weth(2 + (month % 3)),
  outflowAtoms: weth(4.5 + (month % 4) / 2),
  balanceAtoms: month === 4 ? null : weth(48 - 2.6 * month),
}))

/** The picture by the name of its file. */
export function drawCash(): [name: string, svg: string] {
  const { picture } = drawChart(cashChart(drawnMonths), usualPaper)
  return [`${picture.id}.svg`, pictureToSvg(picture)]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [name, svg] = drawCash()
  writeFileSync(fileURLToPath(new URL(name, import.meta.url)), svg)
}
