<#-- A line for each jar: file name without classifier and ending, licences by their SPDX names, where it comes from. -->
Jars of others in lib/, their licences (texts in texts/), and where they come from.

<#list dependencyMap as entry>
${(entry.getKey().artifactId + "-" + entry.getKey().version)?right_pad(48)} ${entry.getValue()?join(" OR ")?right_pad(28)} ${entry.getKey().url!""}
</#list>
