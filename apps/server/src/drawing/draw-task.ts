import { type Drawing, type Paper, pictureToSvg } from '@liquidity-os/drawing'
import { sha256Hex } from '@liquidity-os/evidence'
import { markSimulated, simulatedIn } from './mark-simulated.ts'

/** The subject to draw, and the module that draws it. */
export interface DrawTask {
  readonly drawings: string
  readonly subject: object
  readonly paper: Paper
}

/** A picture with its table; the hash is that of the bytes that are served. */
export interface ServedPicture extends Pick<Drawing, 'columns' | 'rows'> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly svg: string
  readonly hash: string
}

/**
 * Draws all charts of a subject, and marks those of local and test chains. Pure: the same subject
 * gives the same bytes.
 */
export default async function drawPictures({
  drawings,
  subject,
  paper,
}: DrawTask): Promise<ServedPicture[]> {
  const { default: draw } = (await import(drawings)) as {
    default: (subject: object, paper: Paper) => Drawing[] | Promise<Drawing[]>
  }
  const simulated = simulatedIn(subject)
  return (await draw(subject, paper)).map(({ picture: drawn, columns, rows }) => {
    const picture = markSimulated(drawn, simulated)
    const svg = pictureToSvg(picture)
    const { id: name, title, description } = picture
    const hash = `0x${sha256Hex(Buffer.from(svg))}`
    return { name, title, description, svg, hash, columns, rows }
  })
}
