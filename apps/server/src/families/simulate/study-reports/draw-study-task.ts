import { type Drawing, drawFigure, type Paper } from '@liquidity-os/drawing'
import makeReport, { type ReportTask } from './report-task.ts'
import { chartTermsOf } from './report-words.ts'

/** Unit labels of integer columns; column names give the rest. */
const unitWords: Readonly<Record<string, string>> = {
  QUOTE_ATOMS: 'quote atoms',
  BASE_ATOMS: 'token atoms',
  PRICE_X36: 'X36',
}

/** Draws all figures of a study report; empty for a study without a result. */
export default async function drawStudy(
  subject: Pick<ReportTask, 'study' | 'series'>,
  paper: Paper,
): Promise<Drawing[]> {
  if (!subject.study.payload.result) return []
  const { report } = await makeReport({ ...subject, venue: null, observed: null, formats: [] })
  const { symbols } = paper
  const terms = { ...chartTermsOf(report), ...(symbols ? { amountWords: symbols.quote } : {}) }
  return report.figures.map((figure) => ({
    picture: drawFigure(figure, terms, paper),
    columns: figure.columns.map(({ name, unit }) => {
      const words = unitWords[unit]
      return words === undefined ? name : `${name}, ${words}`
    }),
    rows: figure.rows.map((row) =>
      row.map((cell) => (typeof cell === 'boolean' ? String(cell) : cell)),
    ),
  }))
}
