import type { FigureData } from '../../../../drawing/figure.ts'

/**
 * Splits a figure into parts that each fit on a page. The order of subjects is unchanged.
 *
 * @param subjectOf subject of a row, such as a candidate or a rule
 * @param max maximum subjects per part, at least 1
 */
export function inParts(
  figure: FigureData,
  subjectOf: (row: FigureData['rows'][number]) => string,
  max: number,
): FigureData[] {
  const subjects = [...new Set(figure.rows.map(subjectOf))]
  const count = Math.ceil(subjects.length / max)
  if (count <= 1) return [figure]
  // Parts of about equal size, so that none has a single row.
  const size = Math.ceil(subjects.length / count)
  return Array.from({ length: count }, (_, part) => {
    const partSubjects = new Set(subjects.slice(part * size, (part + 1) * size))
    return {
      ...figure,
      id: `${figure.id}-${part + 1}`,
      title: `${figure.title} (${part + 1} of ${count})`,
      rows: figure.rows.filter((row) => partSubjects.has(subjectOf(row))),
    }
  })
}
