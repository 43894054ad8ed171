import { strToU8, type Zippable, zipSync } from 'fflate'

/** A cell: text, a number with its decimal text, or a formula with its cached result. */
export type Cell =
  | null
  | string
  | boolean
  | { readonly number: string; readonly style?: Style }
  | { readonly formula: string; readonly cached: string | null; readonly style?: Style }
  | { readonly text: string; readonly style: Style }

const styles = ['PLAIN', 'HEADING', 'TITLE', 'TIME', 'PERCENT', 'TEXT'] as const
type Style = (typeof styles)[number]

export interface Sheet {
  readonly name: string
  readonly rows: Iterable<readonly Cell[]>
  /** Width of each column, in characters. */
  readonly widths: readonly number[]
  /** Rows at the top that stay visible. */
  readonly frozenRows: number
}

/** A defined name: `total_volume` → `Summary!$B$4`. */
export interface DefinedName {
  readonly name: string
  readonly refersTo: string
}

/** Characters of one cell that Excel accepts. */
const maxCellCharacters = 32_767
/** Text before it becomes bytes. */
const chunkCharacters = 1 << 20

/**
 * A workbook in Office Open XML (ECMA-376). Equal sheets give equal bytes in every time zone.
 *
 * Text is stored in its cell, so text that starts with `=` stays text. Formulas carry their cached
 * results, and a spreadsheet computes them again when it opens the file.
 */
export function writeXlsx(
  sheets: readonly Sheet[],
  names: readonly DefinedName[] = [],
): Uint8Array {
  const files: Zippable = {
    '[Content_Types].xml': strToU8(contentTypes(sheets.length)),
    '_rels/.rels': strToU8(packageRelations),
    'xl/workbook.xml': strToU8(workbookXml(sheets, names)),
    'xl/_rels/workbook.xml.rels': strToU8(workbookRelations(sheets.length)),
    'xl/styles.xml': strToU8(stylesXml),
  }
  for (const [index, sheet] of sheets.entries()) {
    files[`xl/worksheets/sheet${index + 1}.xml`] = sheetBytes(sheet)
  }
  // fflate writes local time, so a local date gives the same bytes everywhere. Level 6 takes a third
  // longer for files that are 3 % smaller.
  return zipSync(files, { mtime: new Date(1980, 0, 1), level: 3 })
}

function sheetBytes({ rows, widths, frozenRows }: Sheet): Uint8Array {
  const chunks: Uint8Array[] = []
  let text = `${xmlHead}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0">${
    frozenRows > 0
      ? `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/>`
      : ''
  }</sheetView></sheetViews>${columnsXml(widths)}<sheetData>`
  let number = 0
  for (const row of rows) {
    number += 1
    text += rowXml(row, number)
    if (text.length < chunkCharacters) continue
    chunks.push(strToU8(text))
    text = ''
  }
  chunks.push(strToU8(`${text}</sheetData></worksheet>`))
  return Buffer.concat(chunks)
}

function columnsXml(widths: readonly number[]): string {
  if (widths.length === 0) return ''
  const columns = widths.map(
    (width, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  return `<cols>${columns.join('')}</cols>`
}

function rowXml(row: readonly Cell[], number: number): string {
  let text = `<row r="${number}">`
  for (let index = 0; index < row.length; index += 1) {
    const cell = row[index]
    if (cell !== null && cell !== undefined)
      text += cellXml(cell, `${columnLetters(index)}${number}`)
  }
  return `${text}</row>`
}

function cellXml(cell: Exclude<Cell, null>, place: string): string {
  if (typeof cell === 'string') return textXml(cell, place, '')
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  const style = styleXml(cell.style)
  if ('text' in cell) return textXml(cell.text, place, style)
  if ('number' in cell) return `<c r="${place}"${style}><v>${cell.number}</v></c>`
  const cached = cell.cached === null ? '' : `<v>${cell.cached}</v>`
  return `<c r="${place}"${style}><f>${escaped(cell.formula)}</f>${cached}</c>`
}

const textXml = (text: string, place: string, style: string) =>
  `<c r="${place}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(shortened(text))}</t></is></c>`

const styleXml = (style: Style = 'PLAIN') => {
  const index = styles.indexOf(style)
  return index === 0 ? '' : ` s="${index}"`
}

function shortened(text: string): string {
  if (text.length <= maxCellCharacters) return text
  const note = `… (${text.length} characters, cut)`
  return text.slice(0, maxCellCharacters - note.length) + note
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no form for these characters.
const unprintable = /[\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\uFFFE\uFFFF]/g
const special: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Text of an element or attribute; characters that XML cannot hold as `_xHHHH_` (ECMA-376, ST_Xstring). */
function escaped(text: string): string {
  if (/^[A-Za-z0-9 .,:;!/()'+-]*$/.test(text)) return text
  return text
    .toWellFormed()
    .replace(/_x[0-9A-Fa-f]{4}_/g, (found) => `_x005F${found}`)
    .replace(
      unprintable,
      (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replace(/[&<>"]/g, (one) => special[one] ?? one)
}

const letters: string[] = []

/** Letters of a column by its index: 0 → A, 26 → AA. */
export function columnLetters(index: number): string {
  const known = letters[index]
  if (known !== undefined) return known
  const last = String.fromCharCode(65 + (index % 26))
  const found = index < 26 ? last : `${columnLetters(Math.floor(index / 26) - 1)}${last}`
  letters[index] = found
  return found
}

/** The name of a sheet in a formula. */
export const quotedSheet = (name: string): string => `'${name.replaceAll("'", "''")}'`

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006'
const sheetMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes = (count: number) =>
  `${xmlHead}<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetMediaType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetMediaType}.styles+xml"/>${numbers(
    count,
  )
    .map(
      (number) =>
        `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${sheetMediaType}.worksheet+xml"/>`,
    )
    .join('')}</Types>`

const packageRelations = `${xmlHead}<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

const workbookRelations = (count: number) =>
  `${xmlHead}<Relationships xmlns="${packageNamespace}/relationships">${numbers(count)
    .map(
      (number) =>
        `<Relationship Id="rId${number}" Type="${officeRelations}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
    )
    .join(
      '',
    )}<Relationship Id="rId${count + 1}" Type="${officeRelations}/styles" Target="styles.xml"/></Relationships>`

function workbookXml(sheets: readonly Sheet[], names: readonly DefinedName[]): string {
  const listed = sheets.map(
    ({ name }, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  const defined = names.map(
    ({ name, refersTo }) =>
      `<definedName name="${escaped(name)}">${escaped(refersTo)}</definedName>`,
  )
  return `${xmlHead}<workbook xmlns="${mainNamespace}" xmlns:r="${officeRelations}"><bookViews><workbookView/></bookViews><sheets>${listed.join('')}</sheets>${
    defined.length === 0 ? '' : `<definedNames>${defined.join('')}</definedNames>`
  }<calcPr calcId="191029" fullCalcOnLoad="1"/></workbook>`
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Cell formats in the order of `styles`. 49 is the text format, 10 is `0.00%`. */
const stylesXml = `${xmlHead}<styleSheet xmlns="${mainNamespace}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="14"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="10" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
