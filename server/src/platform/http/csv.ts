/** The first line of a CSV (RFC 4180), with the mark by which spreadsheets know UTF-8. */
export function csvHeadOf(columns: readonly string[]): string {
  return `\u{feff}${columns.join(',')}\r\n`;
}

/** One line of a CSV; a cell that a spreadsheet would run as a formula becomes text. */
export function csvRow(values: readonly string[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

// A spreadsheet would run a cell that begins like this as a formula, also behind spaces and in full width
// (OWASP, "CSV Injection"). A leading apostrophe makes it text.
const formula = /^\s*[=+\-@|\uff1d\uff0b\uff0d\uff20\t\r]/;

function cell(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text;
  return /[",\r\n;\t']|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
