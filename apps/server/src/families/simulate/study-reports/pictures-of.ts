import { parseStrict } from '@liquidity-os/evidence'
import { drawFigure } from '../../../drawing/draw-figure.ts'
import type { StudyReport } from '../../../drawing/figure.ts'
import { pictureToSvg } from '../../../drawing/svg.ts'
import { chartTermsOf } from './report-words.ts'

/**
 * Every figure of a report as a picture that stands by itself.
 *
 * @param body a signed body that was verified: its names are then those that the service writes
 */
export function picturesOf(body: Uint8Array): { id: string; svg: string }[] {
  const report = parseStrict(body) as StudyReport
  const terms = chartTermsOf(report)
  return report.figures.map((figure) => ({
    id: fileNameOf(figure.id),
    svg: pictureToSvg(drawFigure(figure, terms)),
  }))
}

/** A name that leads nowhere else; whoever signed a report may have chosen it. */
const fileNameOf = (id: string) => id.replaceAll(/[^a-z0-9.-]/g, '-').replace(/^\.+/, '')
