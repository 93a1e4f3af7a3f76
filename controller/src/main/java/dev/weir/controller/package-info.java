/** Commands on the cluster, decided over the metadata log. */
package dev.weir.controller;
