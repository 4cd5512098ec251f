package io.hasp.evaluation.report;

/**
 * One cell of a table on the page.
 *
 * @param look a class of the style sheet
 * @param sign shown before the words; empty for none
 * @param words what it says
 * @param link the rule to look up, in lower case; empty for none
 */
record TableCell(String look, String sign, String words, String link) {}
