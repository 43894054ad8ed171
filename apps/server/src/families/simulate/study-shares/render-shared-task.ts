import { drawFigure, pictureToSvg } from '@liquidity-os/drawing'
import { renderedFormats, renderShared, type SharedRendering } from './render-shared.ts'
import { sharedPage } from './shared-page.ts'
import { type HashedSharedReport, sharedContentOf } from './shared-report.ts'
import { type Shared, sharedTerms } from './shared-words.ts'

export interface RenderSharedTask {
  readonly study: Shared
  readonly url: string
}

export interface RenderedShare {
  readonly report: HashedSharedReport
  readonly renderings: readonly SharedRendering[]
  /** The page of the link itself. */
  readonly page: string
  readonly pictures: readonly { readonly name: string; readonly svg: string }[]
}

/**
 * Renders all public views of a share, unsigned. Pure: the same projection gives the same bytes.
 */
export default async function renderShare({
  study,
  url,
}: RenderSharedTask): Promise<RenderedShare> {
  const report = sharedContentOf(study)
  const renderings: SharedRendering[] = []
  for (const format of renderedFormats) renderings.push(await renderShared(report, format))
  const terms = sharedTerms(study)
  const pictures = report.figures.map((figure) => ({
    name: figure.id,
    svg: pictureToSvg(drawFigure(figure, terms)),
  }))
  return { report, renderings, page: sharedPage(report, url), pictures }
}
